S My First Year in a New City
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Last year my family moved to a big city because of my father 's new job .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S At first I feeled very lonely because I did n't know nobody there .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Our new flat is in centre of city , near of the university .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Every mornings I take the bus number nine to go to the school .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The people is friendly , but they speaks too fast for me .
A 2 3|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:SVA|||speak|||REQUIRED|||-NONE-|||0

S In the second week I have met a girl named Zoë in the queue of a small café .
A 5 6|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S She laughed about my naïve questions , but she always answered them .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Now I can say that the city that I hated it at the beginning became my home .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Moving here was the best thing that happened to me so far .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The Day Our Robot Fell Asleep
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S In March our school has organised a science fair for all the students .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S My team decided to build small robot which can sorts the rubbish .
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||sort|||REQUIRED|||-NONE-|||0

S We worked on it every day after school during three weeks .
A 8 9|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S It was a lot of work , but nobody complained .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The night before the fair we could not sleep because of we were so excited .
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0

S Unfortunately the robot stopped to work just when the judges came to our table .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I pushed the button again and again and again , but it did not moved .
A 14 15|||R:VERB:FORM|||move|||REQUIRED|||-NONE-|||0

S Then Jonas noticed that that that was missing was only a battery .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S We did n't win , however we have learned a lot about patience .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S My grandmother 's soup is the best recipe that I know .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S First you must to cut two onion and fry them with butter .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||onions|||REQUIRED|||-NONE-|||0

S After that you put the potatoes into pot and add litre water .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S If you add too much salt will taste terrible .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S It have to cook slowly until the vegetables will be soft .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S The secret are the three spoons of mustard what she adds at the end .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S My mother makes it same way , but my grandmother 's tastes more better .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S She never measures nothing , she just looks and knows .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Eat the soup with fresh bread and do n't forget the lemon .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Two summers ago I travelled by train from Lisbon to Vienna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I wanted to buy the ticket in the station the machine was broken .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The man in the information desk said me that my train leaves in four minutes .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB|||told|||REQUIRED|||-NONE-|||0

S I ran as fast as I could , with my big red heavy suitcase behind me .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I sat down and I saw that in front of me was sitting a pensioner which was reading newspaper .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He told me that his wife and him had take this train every year since 1975 .
A 9 10|||R:VERB:FORM|||taken|||REQUIRED|||-NONE-|||0

S Suddenly the train stopped in middle field , and the lights went out .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Looking out of the window , everything was black .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S We have waited two hours until the train moved again .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The old man shared his sandwiches with me , what was very kind of him .
A 9 10|||R:PRON|||which|||REQUIRED|||-NONE-|||0

S I arrived to Vienna at midnight , tired but happy .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S When I think about this journey today I do not remember the cathedrals which I have visited , but the strangers which I met in the trains , the sandwich of the old man and the feeling that all the world was open for me .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nowadays almost everybody have a mobile phone in the pocket .
A 3 4|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S In my opinion phones are useful , but they also makes us lazy .
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||0

S My sister uses hers for everything my brother only for games .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S When I was child people was talking more to each other .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Teachers say that phones distract the the students during the lessons .
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0

S I agree with them in part .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S But a phone can be helpful too , for example for to translate a word which we do n't understand .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I think the school should teach us how use it in responsible way .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S It is not the phone that is bad , it is the way how we use it .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Since two years my mother works from home .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S She says that she is more productive and that she sees us more often .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S My father , however , misses his colleagues and the coffee breaks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He has to drive to the office one time per week for the meetings .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The biggest advantage of the remote work is that you save many time .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S On the other hand , is difficult to stop working when your office is your bedroom .
A 5 5|||M:PRON|||it|||REQUIRED|||-NONE-|||0

S Many companies wants that their workers come back .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S In the future , I would like a job where I can choose myself where I work .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Dear Sir or Madam , I am writing to complain about the coffee machine that I bought from you .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I have ordered it on your website on 3 May , and it was arriving two weeks later .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The email showed " <b> 20 % off </b> " , with the code SPRING_20 , but I payed the full price of $ 80 & delivery .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S When I opened the box the glass was broken and the cable missed .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I called to your customer service three times , but every time I have to wait very long .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The woman who finally answered was not polite at all .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S She said that it 's my fault because I did n't read the instruction careful .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S How can I broke a glass that was in a closed box ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I send you photos of the damages and a copy of receipt in the attachment .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I ask you either to send me a new machine or that you give me back my money .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S If I do n't hear from you until 1 June , I will write about this in internet .
A 16 17|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 17 17|||M:DET|||the|||REQUIRED|||-NONE-|||0

S I hope that we can find fast a solution that is good for the both sides .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I look forward to hear from you soon .
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0

S Yours faithfully , a disappointed customer
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

