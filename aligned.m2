S My First Year in a New City
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Last year my family moved to a big city because of my father 's new job .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S At first I feeled very lonely because I did n't know nobody there .
A 3 4|||Replacement|||felt|||REQUIRED|||-NONE-|||0
A 11 12|||Replacement|||anybody|||REQUIRED|||-NONE-|||0
A 3 4|||Replacement|||felt|||REQUIRED|||-NONE-|||1
A 8 11|||Replacement|||knew|||REQUIRED|||-NONE-|||1

S Our new flat is in centre of city , near of the university .
A 5 5|||Missing|||the|||REQUIRED|||-NONE-|||0
A 7 7|||Missing|||the|||REQUIRED|||-NONE-|||0
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 5 8|||Replacement|||the city centre|||REQUIRED|||-NONE-|||1
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||1

S Every mornings I take the bus number nine to go to the school .
A 1 2|||Replacement|||morning|||REQUIRED|||-NONE-|||0
A 5 6|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 8 8|||Missing|||bus|||REQUIRED|||-NONE-|||0
A 11 12|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 1 2|||Replacement|||morning|||REQUIRED|||-NONE-|||1
A 4 5|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 9 12|||Unnecessary||||||REQUIRED|||-NONE-|||1

S The people is friendly , but they speaks too fast for me .
A 2 3|||Replacement|||are|||REQUIRED|||-NONE-|||0
A 7 8|||Replacement|||speak|||REQUIRED|||-NONE-|||0
A 2 3|||Replacement|||are|||REQUIRED|||-NONE-|||1
A 7 8|||Replacement|||speak|||REQUIRED|||-NONE-|||1

S In the second week I have met a girl named Zoë in the queue of a small café .
A 5 6|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 14 15|||Replacement|||at|||REQUIRED|||-NONE-|||0
A 5 6|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 14 15|||Replacement|||at|||REQUIRED|||-NONE-|||1

S She laughed about my naïve questions , but she always answered them .
A 2 3|||Replacement|||at|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Now I can say that the city that I hated it at the beginning became my home .
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 14 15|||Replacement|||has become|||REQUIRED|||-NONE-|||0
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 12 15|||Replacement|||first has become|||REQUIRED|||-NONE-|||1

S Moving here was the best thing that happened to me so far .
A 2 3|||Replacement|||is|||REQUIRED|||-NONE-|||0
A 7 7|||Missing|||has|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The Day Our Robot Fell Asleep
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S In March our school has organised a science fair for all the students .
A 4 5|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 4 5|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 11 12|||Unnecessary||||||REQUIRED|||-NONE-|||1

S My team decided to build small robot which can sorts the rubbish .
A 5 5|||Missing|||a|||REQUIRED|||-NONE-|||0
A 9 11|||Replacement|||sort|||REQUIRED|||-NONE-|||0
A 5 5|||Missing|||a|||REQUIRED|||-NONE-|||1
A 9 10|||Replacement|||sort|||REQUIRED|||-NONE-|||1

S We worked on it every day after school during three weeks .
A 8 9|||Replacement|||for|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S It was a lot of work , but nobody complained .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The night before the fair we could not sleep because of we were so excited .
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||1

S Unfortunately the robot stopped to work just when the judges came to our table .
A 1 1|||Missing|||,|||REQUIRED|||-NONE-|||0
A 4 6|||Replacement|||working|||REQUIRED|||-NONE-|||0
A 1 1|||Missing|||,|||REQUIRED|||-NONE-|||1
A 4 6|||Replacement|||working|||REQUIRED|||-NONE-|||1

S I pushed the button again and again and again , but it did not moved .
A 14 15|||Replacement|||move|||REQUIRED|||-NONE-|||0
A 4 6|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 14 15|||Replacement|||move|||REQUIRED|||-NONE-|||1

S Then Jonas noticed that that that was missing was only a battery .
A 4 6|||Replacement|||what|||REQUIRED|||-NONE-|||0
A 4 5|||Replacement|||the thing|||REQUIRED|||-NONE-|||1

S We did n't win , however we have learned a lot about patience .
A 4 5|||Replacement|||;|||REQUIRED|||-NONE-|||0
A 6 8|||Replacement|||, we|||REQUIRED|||-NONE-|||0
A 5 6|||Replacement|||but|||REQUIRED|||-NONE-|||1
A 7 8|||Unnecessary||||||REQUIRED|||-NONE-|||1

S My grandmother 's soup is the best recipe that I know .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 7 8|||Replacement|||dish|||REQUIRED|||-NONE-|||1

S First you must to cut two onion and fry them with butter .
A 3 4|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 6 7|||Replacement|||onions|||REQUIRED|||-NONE-|||0
A 10 11|||Replacement|||in|||REQUIRED|||-NONE-|||0
A 2 3|||Replacement|||have|||REQUIRED|||-NONE-|||1
A 6 7|||Replacement|||onions|||REQUIRED|||-NONE-|||1
A 10 11|||Replacement|||in|||REQUIRED|||-NONE-|||1

S After that you put the potatoes into pot and add litre water .
A 7 7|||Missing|||the|||REQUIRED|||-NONE-|||0
A 10 10|||Missing|||a|||REQUIRED|||-NONE-|||0
A 11 11|||Missing|||of|||REQUIRED|||-NONE-|||0
A 7 7|||Missing|||a|||REQUIRED|||-NONE-|||1
A 10 10|||Missing|||one|||REQUIRED|||-NONE-|||1
A 11 11|||Missing|||of|||REQUIRED|||-NONE-|||1

S If you add too much salt will taste terrible .
A 6 6|||Missing|||, it|||REQUIRED|||-NONE-|||0
A 6 6|||Missing|||, it|||REQUIRED|||-NONE-|||1

S It have to cook slowly until the vegetables will be soft .
A 1 2|||Replacement|||has|||REQUIRED|||-NONE-|||0
A 8 10|||Replacement|||are|||REQUIRED|||-NONE-|||0
A 1 2|||Replacement|||has|||REQUIRED|||-NONE-|||1
A 8 10|||Replacement|||are|||REQUIRED|||-NONE-|||1

S The secret are the three spoons of mustard what she adds at the end .
A 2 3|||Replacement|||is|||REQUIRED|||-NONE-|||0
A 8 9|||Replacement|||that|||REQUIRED|||-NONE-|||0
A 2 3|||Replacement|||is|||REQUIRED|||-NONE-|||1
A 5 6|||Replacement|||spoonfuls|||REQUIRED|||-NONE-|||1
A 8 9|||Replacement|||that|||REQUIRED|||-NONE-|||1

S My mother makes it same way , but my grandmother 's tastes more better .
A 4 4|||Missing|||the|||REQUIRED|||-NONE-|||0
A 12 13|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 4 4|||Missing|||in the|||REQUIRED|||-NONE-|||1
A 12 13|||Unnecessary||||||REQUIRED|||-NONE-|||1

S She never measures nothing , she just looks and knows .
A 3 5|||Replacement|||anything ;|||REQUIRED|||-NONE-|||0
A 3 5|||Replacement|||anything :|||REQUIRED|||-NONE-|||1

S Eat the soup with fresh bread and do n't forget the lemon .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Two summers ago I travelled by train from Lisbon to Vienna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I wanted to buy the ticket in the station the machine was broken .
A 6 7|||Replacement|||at|||REQUIRED|||-NONE-|||0
A 9 9|||Missing|||, but|||REQUIRED|||-NONE-|||0
A 4 5|||Replacement|||a|||REQUIRED|||-NONE-|||1
A 6 7|||Replacement|||at|||REQUIRED|||-NONE-|||1
A 9 9|||Missing|||, but|||REQUIRED|||-NONE-|||1

S The man in the information desk said me that my train leaves in four minutes .
A 2 3|||Replacement|||at|||REQUIRED|||-NONE-|||0
A 6 7|||Replacement|||told|||REQUIRED|||-NONE-|||0
A 11 12|||Replacement|||was leaving|||REQUIRED|||-NONE-|||0
A 2 3|||Replacement|||at|||REQUIRED|||-NONE-|||1
A 6 7|||Replacement|||told|||REQUIRED|||-NONE-|||1
A 11 12|||Replacement|||would leave|||REQUIRED|||-NONE-|||1

S I ran as fast as I could , with my big red heavy suitcase behind me .
A 11 13|||Replacement|||heavy red|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I sat down and I saw that in front of me was sitting a pensioner which was reading newspaper .
A 7 11|||Replacement|||a pensioner|||REQUIRED|||-NONE-|||0
A 13 18|||Replacement|||opposite me , reading a|||REQUIRED|||-NONE-|||0
A 15 16|||Replacement|||who|||REQUIRED|||-NONE-|||1
A 18 18|||Missing|||a|||REQUIRED|||-NONE-|||1

S He told me that his wife and him had take this train every year since 1975 .
A 7 8|||Replacement|||he|||REQUIRED|||-NONE-|||0
A 9 10|||Replacement|||taken|||REQUIRED|||-NONE-|||0
A 4 8|||Replacement|||he and his wife|||REQUIRED|||-NONE-|||1
A 9 10|||Replacement|||taken|||REQUIRED|||-NONE-|||1

S Suddenly the train stopped in middle field , and the lights went out .
A 5 5|||Missing|||the|||REQUIRED|||-NONE-|||0
A 6 6|||Missing|||of a|||REQUIRED|||-NONE-|||0
A 5 5|||Missing|||the|||REQUIRED|||-NONE-|||1
A 6 6|||Missing|||of a|||REQUIRED|||-NONE-|||1

S Looking out of the window , everything was black .
A 0 1|||Replacement|||When I looked|||REQUIRED|||-NONE-|||0
A 0 3|||Replacement|||Outside|||REQUIRED|||-NONE-|||1

S We have waited two hours until the train moved again .
A 1 2|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 5 6|||Replacement|||before|||REQUIRED|||-NONE-|||0
A 1 3|||Replacement|||waited for|||REQUIRED|||-NONE-|||1
A 5 6|||Replacement|||before|||REQUIRED|||-NONE-|||1

S The old man shared his sandwiches with me , what was very kind of him .
A 9 10|||Replacement|||which|||REQUIRED|||-NONE-|||0
A 9 10|||Replacement|||which|||REQUIRED|||-NONE-|||1

S I arrived to Vienna at midnight , tired but happy .
A 2 3|||Replacement|||in|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S When I think about this journey today I do not remember the cathedrals which I have visited , but the strangers which I met in the trains , the sandwich of the old man and the feeling that all the world was open for me .
A 7 7|||Missing|||,|||REQUIRED|||-NONE-|||0
A 15 16|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 21 22|||Replacement|||whom|||REQUIRED|||-NONE-|||0
A 24 25|||Replacement|||on|||REQUIRED|||-NONE-|||0
A 29 34|||Replacement|||old man 's sandwich|||REQUIRED|||-NONE-|||0
A 38 40|||Replacement|||the whole|||REQUIRED|||-NONE-|||0
A 43 44|||Replacement|||to|||REQUIRED|||-NONE-|||0
A 7 7|||Missing|||,|||REQUIRED|||-NONE-|||1
A 15 16|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 21 22|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 24 25|||Replacement|||on|||REQUIRED|||-NONE-|||1
A 38 40|||Replacement|||the whole|||REQUIRED|||-NONE-|||1
A 43 44|||Replacement|||to|||REQUIRED|||-NONE-|||1

S Nowadays almost everybody have a mobile phone in the pocket .
A 3 4|||Replacement|||has|||REQUIRED|||-NONE-|||0
A 8 9|||Replacement|||their|||REQUIRED|||-NONE-|||0
A 3 4|||Replacement|||has|||REQUIRED|||-NONE-|||1
A 8 9|||Replacement|||their|||REQUIRED|||-NONE-|||1

S In my opinion phones are useful , but they also makes us lazy .
A 10 11|||Replacement|||make|||REQUIRED|||-NONE-|||0
A 3 3|||Missing|||,|||REQUIRED|||-NONE-|||1
A 10 11|||Replacement|||make|||REQUIRED|||-NONE-|||1

S My sister uses hers for everything my brother only for games .
A 6 6|||Missing|||, while|||REQUIRED|||-NONE-|||0
A 8 8|||Missing|||uses his|||REQUIRED|||-NONE-|||0
A 6 6|||Missing|||, and|||REQUIRED|||-NONE-|||1

S When I was child people was talking more to each other .
A 3 3|||Missing|||a|||REQUIRED|||-NONE-|||0
A 4 7|||Replacement|||, people talked|||REQUIRED|||-NONE-|||0
A 3 3|||Missing|||a|||REQUIRED|||-NONE-|||1
A 4 7|||Replacement|||, people talked|||REQUIRED|||-NONE-|||1
A 8 11|||Replacement|||with one another|||REQUIRED|||-NONE-|||1

S Teachers say that phones distract the the students during the lessons .
A 5 6|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 5 7|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 9 10|||Unnecessary||||||REQUIRED|||-NONE-|||1

S I agree with them in part .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S But a phone can be helpful too , for example for to translate a word which we do n't understand .
A 10 11|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 11 13|||Replacement|||translating|||REQUIRED|||-NONE-|||1

S I think the school should teach us how use it in responsible way .
A 8 8|||Missing|||to|||REQUIRED|||-NONE-|||0
A 11 11|||Missing|||a|||REQUIRED|||-NONE-|||0
A 8 8|||Missing|||to|||REQUIRED|||-NONE-|||1
A 10 13|||Replacement|||responsibly|||REQUIRED|||-NONE-|||1

S It is not the phone that is bad , it is the way how we use it .
A 13 14|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 8 9|||Replacement|||;|||REQUIRED|||-NONE-|||1
A 11 13|||Unnecessary||||||REQUIRED|||-NONE-|||1

S Since two years my mother works from home .
A 0 1|||Replacement|||For|||REQUIRED|||-NONE-|||0
A 5 6|||Replacement|||has worked|||REQUIRED|||-NONE-|||0
A 0 6|||Replacement|||My mother has been working|||REQUIRED|||-NONE-|||1
A 8 8|||Missing|||for two years|||REQUIRED|||-NONE-|||1

S She says that she is more productive and that she sees us more often .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S My father , however , misses his colleagues and the coffee breaks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He has to drive to the office one time per week for the meetings .
A 7 10|||Replacement|||once a|||REQUIRED|||-NONE-|||0
A 7 9|||Replacement|||once|||REQUIRED|||-NONE-|||1
A 12 13|||Unnecessary||||||REQUIRED|||-NONE-|||1

S The biggest advantage of the remote work is that you save many time .
A 4 5|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 11 12|||Replacement|||a lot of|||REQUIRED|||-NONE-|||0
A 4 5|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 11 12|||Replacement|||a lot of|||REQUIRED|||-NONE-|||1

S On the other hand , is difficult to stop working when your office is your bedroom .
A 5 5|||Missing|||it|||REQUIRED|||-NONE-|||0
A 5 5|||Missing|||it|||REQUIRED|||-NONE-|||1

S Many companies wants that their workers come back .
A 2 4|||Replacement|||want|||REQUIRED|||-NONE-|||0
A 6 6|||Missing|||to|||REQUIRED|||-NONE-|||0
A 2 4|||Replacement|||want|||REQUIRED|||-NONE-|||1
A 6 6|||Missing|||to|||REQUIRED|||-NONE-|||1

S In the future , I would like a job where I can choose myself where I work .
A 12 13|||Replacement|||decide for|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Dear Sir or Madam , I am writing to complain about the coffee machine that I bought from you .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I have ordered it on your website on 3 May , and it was arriving two weeks later .
A 1 2|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 13 15|||Replacement|||arrived|||REQUIRED|||-NONE-|||0
A 1 2|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 13 15|||Replacement|||arrived|||REQUIRED|||-NONE-|||1

S The email showed " <b> 20 % off </b> " , with the code SPRING_20 , but I payed the full price of $ 80 & delivery .
A 18 19|||Replacement|||paid|||REQUIRED|||-NONE-|||0
A 25 26|||Replacement|||plus|||REQUIRED|||-NONE-|||0
A 18 19|||Replacement|||paid|||REQUIRED|||-NONE-|||1
A 25 26|||Replacement|||and|||REQUIRED|||-NONE-|||1

S When I opened the box the glass was broken and the cable missed .
A 5 5|||Missing|||,|||REQUIRED|||-NONE-|||0
A 12 13|||Replacement|||was missing|||REQUIRED|||-NONE-|||0
A 5 5|||Missing|||,|||REQUIRED|||-NONE-|||1
A 12 13|||Replacement|||was missing|||REQUIRED|||-NONE-|||1

S I called to your customer service three times , but every time I have to wait very long .
A 2 3|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 13 14|||Replacement|||had|||REQUIRED|||-NONE-|||0
A 16 16|||Missing|||a|||REQUIRED|||-NONE-|||0
A 18 18|||Missing|||time|||REQUIRED|||-NONE-|||0
A 2 3|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 13 14|||Replacement|||had|||REQUIRED|||-NONE-|||1
A 16 16|||Missing|||for a|||REQUIRED|||-NONE-|||1
A 18 18|||Missing|||time|||REQUIRED|||-NONE-|||1

S The woman who finally answered was not polite at all .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S She said that it 's my fault because I did n't read the instruction careful .
A 4 5|||Replacement|||was|||REQUIRED|||-NONE-|||0
A 13 15|||Replacement|||instructions carefully|||REQUIRED|||-NONE-|||0
A 4 5|||Replacement|||was|||REQUIRED|||-NONE-|||1
A 13 15|||Replacement|||instructions carefully|||REQUIRED|||-NONE-|||1

S How can I broke a glass that was in a closed box ?
A 1 2|||Replacement|||could|||REQUIRED|||-NONE-|||0
A 3 4|||Replacement|||have broken|||REQUIRED|||-NONE-|||0
A 3 4|||Replacement|||break|||REQUIRED|||-NONE-|||1

S I send you photos of the damages and a copy of receipt in the attachment .
A 1 2|||Replacement|||am sending|||REQUIRED|||-NONE-|||0
A 6 7|||Replacement|||damage|||REQUIRED|||-NONE-|||0
A 11 15|||Replacement|||the receipt as attachments|||REQUIRED|||-NONE-|||0
A 1 3|||Replacement|||have attached|||REQUIRED|||-NONE-|||1
A 6 7|||Replacement|||damage|||REQUIRED|||-NONE-|||1
A 11 13|||Unnecessary||||||REQUIRED|||-NONE-|||1
A 14 15|||Replacement|||receipt|||REQUIRED|||-NONE-|||1

S I ask you either to send me a new machine or that you give me back my money .
A 11 13|||Replacement|||to|||REQUIRED|||-NONE-|||0
A 1 2|||Replacement|||am asking|||REQUIRED|||-NONE-|||1
A 11 16|||Replacement|||to refund|||REQUIRED|||-NONE-|||1

S If I do n't hear from you until 1 June , I will write about this in internet .
A 7 8|||Replacement|||by|||REQUIRED|||-NONE-|||0
A 16 17|||Replacement|||on the|||REQUIRED|||-NONE-|||0
A 7 8|||Replacement|||by|||REQUIRED|||-NONE-|||1
A 16 17|||Replacement|||on the|||REQUIRED|||-NONE-|||1

S I hope that we can find fast a solution that is good for the both sides .
A 5 7|||Replacement|||quickly find|||REQUIRED|||-NONE-|||0
A 13 14|||Unnecessary||||||REQUIRED|||-NONE-|||0
A 6 8|||Replacement|||a quick|||REQUIRED|||-NONE-|||1
A 13 14|||Unnecessary||||||REQUIRED|||-NONE-|||1

S I look forward to hear from you soon .
A 4 5|||Replacement|||hearing|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Yours faithfully , a disappointed customer
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

